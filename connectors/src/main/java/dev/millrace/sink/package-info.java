/** Where lines go that a job writes for people and programs, such as its metrics. */
package dev.millrace.sink;
