import { Alert, Button, Group, Stack } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { trpc } from '../api/trpc.ts'
import { Instructions } from '../instructions/instructions.tsx'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { type Payment, statusWords } from '../payments/payment-words.ts'
import { SandboxButton } from '../payments/sandbox-button.tsx'
import { StatusTag } from '../payments/status-tag.tsx'

const text = words({
  en: {
    created: 'The test payment is created',
    over: (status: string) => `The test payment is now: ${status}`,
    next: 'Your customer would now see this. Play the payer in the sandbox, and watch it become paid here.',
    watch: 'The payment’s page shows what happened to it, and how your server was told.',
    open: 'Open the payment',
    another: 'Create another',
  },
  id: {
    created: 'Pembayaran uji telah dibuat',
    over: (status: string) => `Status pembayaran uji sekarang: ${status}`,
    next: 'Inilah yang akan dilihat pelanggan Anda. Bayarlah sebagai pembayar di sandbox, dan statusnya berubah di sini.',
    watch: 'Halaman pembayaran menunjukkan riwayatnya, dan bagaimana server Anda diberi tahu.',
    open: 'Buka pembayaran',
    another: 'Buat lagi',
  },
})

export function CreatedPayment({ created, again }: { created: Payment; again: () => void }) {
  const t = useWords(text)
  const statuses = useWords(statusWords)
  const { data: payment } = useQuery(
    trpc.payments.get.queryOptions({ payment_id: created.id }, { initialData: created }),
  )
  const isPending = payment.status === 'pending'
  const result = useRef<HTMLDivElement>(null)
  useEffect(() => result.current?.focus(), [])
  return (
    <Stack gap="lg" maw={640}>
      <Alert
        ref={result}
        tabIndex={-1}
        role="status"
        color="teal"
        icon={<IconCircleCheck />}
        title={isPending ? t.created : t.over(statuses[payment.status])}
      >
        {isPending ? t.next : t.watch}
      </Alert>
      <Panel title={payment.payment_code} actions={<StatusTag status={payment.status} />}>
        {isPending && <Instructions payment={payment} />}
        <Group mt={isPending ? 'lg' : 'xs'} gap="sm">
          {isPending && <SandboxButton payment={payment} />}
          <ButtonLink to="/payments/$paymentId" params={{ paymentId: payment.id }} variant="default">
            {t.open}
          </ButtonLink>
          <Button variant="subtle" onClick={again}>
            {t.another}
          </Button>
        </Group>
      </Panel>
    </Stack>
  )
}
