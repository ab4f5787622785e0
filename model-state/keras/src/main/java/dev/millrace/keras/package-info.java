/**
 * Models of Keras as archives of DL4J, through DL4J's own import. Not on the class path of a
 * cluster, nor of any command but {@code millrace import}.
 */
package dev.millrace.keras;
