// Runs one user action and handles its progress, its success message and its errors.

import { notifications } from '@mantine/notifications'
import { type DefaultError, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { type Fault, faultOf } from '../api/fault.ts'
import { EditConflict } from './merge-edits.ts'
import { useFaultWords } from './use-fault-words.ts'

type Given<Input, Output> = UseMutationOptions<Output, DefaultError, Input> & {
  /** The message to show when the action succeeds. */
  done?: string
  /** The form that shows errors next to its fields, for example a form from the UI library Mantine. */
  form?: { setFieldError(field: string, message: string): void; getValues(): object }
  /**
   * Returns the form field next to which an error is shown. Called only if the service's error does not name
   * a field.
   */
  fieldOf?: (fault: Fault) => string | undefined
}

/**
 * Returns a mutation that runs a user action and handles its errors. Without a form, errors are shown as notifications.
 * With a form, an error about a field is shown next to this field. Any other error is returned as the text `refusal`,
 * which the form must show. The exception is `EditConflict`, which the form reports itself.
 */
export function useAct<Input, Output>({ done, form, fieldOf, ...options }: Given<Input, Output>) {
  const inWords = useFaultWords()
  const fieldIn = (error: DefaultError): string | undefined => {
    const fault = faultOf(error)
    const { field = fieldOf?.(fault) } = fault
    return field && form && (field.split('.')[0] as string) in form.getValues() ? field : undefined
  }
  const act = useMutation<Output, DefaultError, Input>({
    ...options,
    onSuccess(...given) {
      if (done) notifications.show({ message: done, color: 'teal' })
      return options.onSuccess?.(...given)
    },
    onError(error, ...given) {
      const field = fieldIn(error)
      if (field) form?.setFieldError(field, inWords(error))
      else if (!form) notifications.show({ message: inWords(error), color: 'red', autoClose: 8_000 })
      return options.onError?.(error, ...given)
    },
  })
  const isRefused = act.error && form && !fieldIn(act.error) && !(act.error instanceof EditConflict)
  return { ...act, refusal: isRefused ? inWords(act.error) : undefined }
}
