/**
 * A server that answers requests of the Open Inference Protocol with the newest published model.
 * Each request is read, checked and answered by threads of the HTTP library; a few threads of their
 * own predict, for several requests at once.
 */
package dev.millrace.serve;
