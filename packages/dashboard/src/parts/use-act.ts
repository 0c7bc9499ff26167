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

/** refusal: of a form, what is about none of its fields; the form shows it. Anything else says it by a notice. */
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
  const refusal = act.error && form && !fieldIn(act.error) ? inWords(act.error) : undefined
  return { ...act, refusal }
}
