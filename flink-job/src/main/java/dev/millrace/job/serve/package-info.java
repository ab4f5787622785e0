/**
 * What the command line and a server of predictions agree on. The server itself is an extra that no
 * job needs.
 */
package dev.millrace.job.serve;
