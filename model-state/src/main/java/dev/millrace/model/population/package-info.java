/**
 * Several models in the place of one: each learns every example in its own way, and they predict
 * together.
 */
package dev.millrace.model.population;
