/** Makes a model wider: more features, more outputs, and what it knows stays where it was. */
package dev.millrace.model.grow;
