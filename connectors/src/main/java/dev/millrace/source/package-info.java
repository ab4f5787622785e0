/** Sources that change one thing about another source. */
package dev.millrace.source;
