/**
 * Models where they are kept, in savepoints, checkpoints and archives: told about, compared, and
 * exported. No cluster runs here.
 */
package dev.millrace.cli.models;
