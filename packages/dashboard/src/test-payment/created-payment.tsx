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
    created: 'Test payment created',
    over: (status: string) => `Status of the test payment: ${status}`,
    next: 'This is what your customer sees. Pay as the payer in the sandbox, and watch the status change here.',
    watch: 'The payment’s own page shows its history and the webhooks sent to your server.',
    open: 'Open payment',
    another: 'Create another',
  },
  id: {
    created: 'Pembayaran uji coba telah dibuat',
    over: (status: string) => `Status pembayaran uji coba: ${status}`,
    next: 'Inilah yang dilihat pelanggan Anda. Bayarlah sebagai pembayar di sandbox, lalu statusnya berubah di sini.',
    watch: 'Halaman pembayaran menampilkan riwayatnya dan webhook yang dikirim ke server Anda.',
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
