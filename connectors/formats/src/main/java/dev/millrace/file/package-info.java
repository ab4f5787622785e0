/** Examples from files and generators. */
package dev.millrace.file;
