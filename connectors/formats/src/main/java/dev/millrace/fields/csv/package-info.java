/** Records of named fields as lines of separated values. */
package dev.millrace.fields.csv;
