/** Drawn digits, for demos and tests. */
package dev.millrace.digits;
