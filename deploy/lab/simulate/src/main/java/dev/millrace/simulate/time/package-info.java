/** Virtual time, in microseconds, and chance by place. */
package dev.millrace.simulate.time;
