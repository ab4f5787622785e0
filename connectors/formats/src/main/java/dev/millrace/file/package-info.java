/** Examples from files. */
package dev.millrace.file;
