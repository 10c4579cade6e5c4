/* Nothing to call: see nocurl.c. */
