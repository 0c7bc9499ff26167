import { resolveUnknownPaymentInput } from '@gapura/server/decision-input'
import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { Unknown } from './inbox-words.ts'
import { ReasonInput } from './reason-input.tsx'
import { refreshInbox } from './refresh-inbox.ts'

const text = words({
  en: {
    about:
      'Continue only if you have looked up this charge at the provider and it does not exist there. Gapura then closes the charge, and the merchant can charge the same order again. If the provider did accept the first charge, the payer may be charged twice.',
    reasonHint: 'Your reason is saved with the payment, for example: not found in the provider’s dashboard',
    settle: 'Mark as not created',
    done: 'The charge is closed. The merchant can charge the same order again.',
  },
  id: {
    about:
      'Lanjutkan hanya jika Anda sudah memeriksa penagihan ini di penyedia dan penagihan itu tidak ada di sana. Gapura menutup penagihan ini, dan merchant dapat menagih pesanan yang sama lagi. Jika penyedia ternyata menerima penagihan pertama, pembayar dapat tertagih dua kali.',
    reasonHint: 'Alasan disimpan bersama pembayaran, misalnya: tidak ditemukan di dasbor penyedia',
    settle: 'Tandai tidak dibuat',
    done: 'Penagihan ditutup. Pesanan yang sama dapat ditagih lagi.',
  },
})

type Given = { payment: Unknown; back: () => void; onDone: () => void }

export function NotCreatedForm({ payment, back, onDone }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm({
    initialValues: { decision: 'not_created' as const, reason: '' },
    validate: useChecks(resolveUnknownPaymentInput),
  })
  const settle = useAct({
    mutationFn: (wanted: typeof form.values) =>
      client.unknownPayments.resolve.mutate({ payment_id: payment.payment_id, ...wanted }),
    form,
    done: t.done,
    onSuccess: async () => {
      onDone()
      await refreshInbox(queries)
    },
  })
  return (
    <form onSubmit={form.onSubmit(wanted => settle.mutate(wanted))} noValidate>
      <Stack>
        <Text size="sm">{t.about}</Text>
        <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />
        <ActRow back={back} act={t.settle} isActing={settle.isPending} refusal={settle.refusal} isGrave />
      </Stack>
    </form>
  )
}
