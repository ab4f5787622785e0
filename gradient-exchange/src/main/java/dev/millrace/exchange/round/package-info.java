/** When a round is made, and of whom. Pure Java; see docs/protocol.md. */
package dev.millrace.exchange.round;
