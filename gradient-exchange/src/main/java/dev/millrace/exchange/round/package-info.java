/** When a round is made, and of whom. Pure Java; see docs/internals/protocol.md. */
package dev.millrace.exchange.round;
