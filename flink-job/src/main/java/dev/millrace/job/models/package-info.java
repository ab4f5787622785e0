/** Where published models are kept, and which archive a name means. */
package dev.millrace.job.models;
