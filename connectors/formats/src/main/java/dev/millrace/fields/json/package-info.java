/** Records of named fields as JSON objects. */
package dev.millrace.fields.json;
