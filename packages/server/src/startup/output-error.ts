/**
 * Returns the error message for the operator if standard output cannot be written, for example because the disk is
 * full.
 */
export const explainOutputError = ({ message }: Error): string =>
  `cannot write to standard output (${message}); redirect it to a file on a disk with free space, or to a program that reads it`
