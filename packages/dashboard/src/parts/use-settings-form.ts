// A form that changes stored settings, which other users can change at the same time.

import { type FormErrors, useForm } from '@mantine/form'
import { useLayoutEffect, useState } from 'react'
import { EditConflict, isEqual, mergeEdits } from './merge-edits.ts'

type Given<Values> = {
  /** The stored settings as last fetched. */
  stored: Values
  validate?: (values: Values) => FormErrors
}

/**
 * Returns a form for stored settings. A field that the user has not edited always shows the stored value. If
 * another user changes a field that the user has edited, `hasConflict` is true. The form must then show a
 * `ConflictNotice` and refuse to save.
 */
export function useSettingsForm<Values extends Record<string, unknown>>({ stored, validate }: Given<Values>) {
  const form = useForm<Values>({ initialValues: stored, ...(validate && { validate }) })
  // The latest settings come from a fetch or from the response to a save, whichever was later. After a save,
  // `stored` is outdated until it has been fetched again.
  const [fetched, setFetched] = useState(stored)
  const [latest, setLatest] = useState(stored)
  if (!isEqual(fetched, stored)) {
    setFetched(stored)
    setLatest(stored)
  }
  const { edits, values, base, hasConflict } = mergeEdits(form.getInitialValues(), form.values, latest)
  // A layout effect runs before the user can type again, so it never overwrites newer edits.
  useLayoutEffect(() => {
    if (isEqual(form.getInitialValues(), base)) return
    form.setInitialValues(base)
    form.setValues(values)
  })
  const isEdited = Object.keys(edits).length > 0
  /** Shows these settings and discards all edits. */
  function show(settings: Values) {
    setLatest(settings)
    form.setInitialValues(settings)
    form.reset()
  }
  return {
    ...form,
    /** The edited fields, which a PATCH request contains. */
    edits,
    isEdited,
    hasConflict,
    canSave: isEdited && !hasConflict,
    /** Discards all edits. */
    discard: () => show(latest),
    /** Shows the settings that a save returned. */
    showSaved: show,
    /**
     * Takes over freshly fetched settings and returns them with the user's edits. Throws an `EditConflict` if another
     * user has changed an edited field.
     */
    appliedTo(settings: Values): Values {
      const merged = mergeEdits(form.getInitialValues(), form.getValues(), settings)
      setLatest(settings)
      if (merged.hasConflict) throw new EditConflict()
      return merged.values
    },
  }
}
