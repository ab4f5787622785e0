/** How a contribution becomes bytes and back. Pure Java. */
package dev.millrace.exchange.codec;
