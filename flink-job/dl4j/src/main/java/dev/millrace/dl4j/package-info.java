/** Programs of DL4J, trained by Millrace: the classes have the names and methods of DL4J's. */
package dev.millrace.dl4j;
