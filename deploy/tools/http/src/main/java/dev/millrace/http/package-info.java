/** Rules for clients that are slow, many, or pages of somebody else in a browser. */
package dev.millrace.http;
