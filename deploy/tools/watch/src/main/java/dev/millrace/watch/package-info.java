/** A page that shows how models learn, made of metric records alone. */
package dev.millrace.watch;
