/** Shows all of Millrace on data that it draws or is given. */
package dev.millrace.cli.demo;
