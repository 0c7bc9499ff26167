import { closeDifferenceInput } from '@gapura/server/close-input'
import { Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { ReasonInput } from './reason-input.tsx'
import { refreshInbox } from './refresh-inbox.ts'

const text = words({
  en: {
    about:
      'Close a difference only if you know its cause. Balances do not change. If the records agree again, Gapura closes the difference automatically the next morning.',
    reasonHint:
      'Your reason is saved with the difference, for example: the provider settles the payment tomorrow',
    close: 'Close difference',
    done: 'Difference closed',
  },
  id: {
    about:
      'Tutup selisih hanya jika penyebabnya sudah diketahui. Saldo tidak berubah. Jika data sudah cocok lagi, Gapura menutup selisih secara otomatis keesokan paginya.',
    reasonHint: 'Alasan disimpan bersama selisih, misalnya: penyedia menyelesaikan pembayaran besok',
    close: 'Tutup selisih',
    done: 'Selisih telah ditutup',
  },
})

export function CloseForm({ id, onDone }: { id: string; onDone: () => void }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const form = useForm({ initialValues: { reason: '' }, validate: useChecks(closeDifferenceInput) })
  const closing = useAct({
    mutationFn: (wanted: typeof form.values) =>
      client.reconciliation.closeDifference.mutate({ id, ...wanted }),
    form,
    done: t.done,
    onSuccess: async () => {
      onDone()
      await refreshInbox(queries)
    },
  })
  return (
    <form onSubmit={form.onSubmit(wanted => closing.mutate(wanted))} noValidate>
      <Stack>
        <Text size="sm">{t.about}</Text>
        <ReasonInput description={t.reasonHint} {...form.getInputProps('reason')} />
        <ActRow act={t.close} isActing={closing.isPending} refusal={closing.refusal} />
      </Stack>
    </form>
  )
}
