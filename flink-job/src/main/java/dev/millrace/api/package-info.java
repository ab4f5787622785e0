/**
 * Training and scoring as parts of any DataStream job: docs/guides/in-your-program.md. This package
 * is all that programs may use; what else there is of Millrace changes without notice.
 */
package dev.millrace.api;
