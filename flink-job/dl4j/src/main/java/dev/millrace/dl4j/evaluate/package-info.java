/** Networks that are asked, and not trained, by all workers at once. */
package dev.millrace.dl4j.evaluate;
