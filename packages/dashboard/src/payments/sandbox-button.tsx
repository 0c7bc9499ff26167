import { Button } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { useWords, words } from '../language/language.tsx'
import { sandboxUrl } from '../session/session.ts'
import type { Payment } from './payment-words.ts'

const text = words({ en: { pay: 'Pay in the sandbox' }, id: { pay: 'Bayar di sandbox' } })

/**
 * Links to the sandbox, where the user can act as the payer and pay the payment. Renders nothing if the service has
 * no sandbox.
 */
export function SandboxButton({ payment }: { payment: Payment }) {
  const t = useWords(text)
  const sandbox = sandboxUrl()
  if (sandbox === null) return null
  return (
    <Button
      component="a"
      href={`${sandbox}/payments/${payment.payment_code}`}
      target="_blank"
      rel="noopener noreferrer"
      rightSection={<IconExternalLink size={16} />}
    >
      {t.pay}
    </Button>
  )
}
