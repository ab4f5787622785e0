/** What has to hold, whatever fails. */
package dev.millrace.simulate.check;
