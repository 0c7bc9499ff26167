import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useWords } from '../language/language.tsx'
import { type Payment, statusWords } from './payment-words.ts'
import { useFailureWords } from './use-failure.ts'

type Given = { payment: Payment; more?: string }

/**
 * Shows why a payment failed or was challenged (held by a provider for a fraud check). If the payment was
 * challenged, the text `more` is shown after the reason.
 */
export function FailureAlert({ payment: { status, failure_reason: reason }, more }: Given) {
  const statuses = useWords(statusWords)
  const inWords = useFailureWords()
  if (!reason) return null
  const isChallenged = status === 'challenged'
  return (
    <Alert color={isChallenged ? 'orange' : 'red'} icon={<IconAlertCircle />} title={statuses[status]}>
      {inWords(reason)}
      {isChallenged && more && ` ${more}`}
    </Alert>
  )
}
