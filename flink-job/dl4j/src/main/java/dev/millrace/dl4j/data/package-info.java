/** What a minibatch of DL4J holds, as examples. */
package dev.millrace.dl4j.data;
