/** Takes records out of a model that has learned them. */
package dev.millrace.cli.forget;
