// The fields in one row of a form. Their errors are shown below the row, because the columns are too narrow
// for them.

import { type ReactNode, useId } from 'react'
import classes from './row-fields.module.css'

// biome-ignore lint/suspicious/noExplicitAny: the type that Mantine's form returns
type Props = any

type Row<Field extends string> = {
  fields: readonly Field[]
  labels: Record<Field, string>
  inputProps: (field: Field) => Props
  labelClass: string | undefined
  /** The error message that applies to the whole row and not to a single field, if there is one. */
  errorOfRow?: string | undefined
}

/**
 * Returns two things for a form's row: `of`, a function that returns the props of a field's input, and
 * `errors`, the error messages of the row.
 */
export function useRowFields<Field extends string>(
  row: Row<Field>,
): {
  of: (field: Field) => Props
  errors: ReactNode
} {
  const { fields, labels, inputProps, labelClass, errorOfRow } = row
  const errorsId = useId()
  const errors = [
    ...(errorOfRow ? [errorOfRow] : []),
    ...fields.flatMap(field => {
      const { error } = inputProps(field)
      return error ? [`${labels[field]}: ${error}`] : []
    }),
  ]
  return {
    of(field) {
      const { error, ...props } = inputProps(field)
      return {
        ...props,
        label: labels[field],
        classNames: { label: labelClass },
        error: Boolean(error),
        ...(error && { 'aria-describedby': errorsId }),
      }
    },
    errors: errors.length > 0 && (
      <div id={errorsId} className={classes.errors} role="alert">
        {errors.map(error => (
          <div key={error}>{error}</div>
        ))}
      </div>
    ),
  }
}
