/** Finds, lends and names the devices that networks are computed on. */
package dev.millrace.model.device;
