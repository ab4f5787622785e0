/** Which layers of a network a job doesn't train. */
package dev.millrace.model.freeze;
