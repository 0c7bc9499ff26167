// One thing that somebody does: while it is under way, when it is done, and when it is refused.

import { notifications } from '@mantine/notifications'
import { type DefaultError, type UseMutationOptions, useMutation } from '@tanstack/react-query'
import { type Fault, faultOf } from '../api/fault.ts'
import { useFaultWords } from './use-fault-words.ts'

type Given<Input, Output> = UseMutationOptions<Output, DefaultError, Input> & {
  /** What is said when it is done. */
  done?: string
  /** Shows a refusal at its field; a form's own setFieldError. */
  form?: { setFieldError(field: string, message: string): void; getValues(): object }
  /** The field of a refusal that names none. */
  fieldOf?: (fault: Fault) => string | undefined
}

export function useAct<Input, Output>({ done, form, fieldOf, ...options }: Given<Input, Output>) {
  const inWords = useFaultWords()
  return useMutation<Output, DefaultError, Input>({
    ...options,
    onSuccess(...given) {
      if (done) notifications.show({ message: done, color: 'teal' })
      return options.onSuccess?.(...given)
    },
    onError(error, ...given) {
      const fault = faultOf(error)
      const { field = fieldOf?.(fault) } = fault
      const message = inWords(error)
      if (field && form && (field.split('.')[0] as string) in form.getValues())
        form.setFieldError(field, message)
      else
        notifications.show({
          message: field ? `${field}: ${message}` : message,
          color: 'red',
          autoClose: 8_000,
        })
      return options.onError?.(error, ...given)
    },
  })
}
