// Merges a user's unsaved edits with settings that may have changed since the user started editing.

import { replaceEqualDeep } from '@tanstack/react-query'

/** Thrown instead of saving settings that another user has changed since the current user started editing them. */
export class EditConflict extends Error {}

type Merged<Values> = {
  /** The fields that the user edited. */
  edits: Partial<Values>
  /** The stored settings with the user's edits. */
  values: Values
  /** The settings from which the user's next edits are counted. */
  base: Values
  hasConflict: boolean
}

/**
 * Merges the user's edits with the stored settings, field by field. `base` contains the settings before the edits.
 *
 * - A field without edits takes the stored value.
 * - An edited field conflicts if its stored value has changed too, to a different value.
 * - A conflicting field keeps its base value until the user discards the edit.
 */
export function mergeEdits<Values extends object>(
  base: Values,
  edited: Values,
  stored: Values,
): Merged<Values> {
  const fieldsOf = (values: Values, isIncluded: (name: keyof Values) => boolean) =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) => isIncluded(name as keyof Values)),
    ) as Partial<Values>
  const isEdited = (name: keyof Values) => !isEqual(edited[name], base[name])
  const isConflicting = (name: keyof Values) =>
    isEdited(name) && !isEqual(stored[name], base[name]) && !isEqual(stored[name], edited[name])
  const edits = fieldsOf(edited, isEdited)
  const conflicting = fieldsOf(base, isConflicting)
  return {
    edits,
    values: { ...stored, ...edits },
    base: { ...stored, ...conflicting },
    hasConflict: Object.keys(conflicting).length > 0,
  }
}

/** Compares two values deeply. `replaceEqualDeep` returns its first argument only if both are equal. */
export const isEqual = (one: unknown, other: unknown): boolean => replaceEqualDeep(one, other) === one
