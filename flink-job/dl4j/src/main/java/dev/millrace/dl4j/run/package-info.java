/** Between a program and the job that trains for it. */
package dev.millrace.dl4j.run;
