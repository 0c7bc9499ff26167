import { securityInput } from '@gapura/server/second-factor-input'
import { Button, Stack } from '@mantine/core'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { RupiahInput } from '../parts/rupiah-input.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'

const text = words({
  en: {
    limit: 'Confirm refunds above',
    hint: 'A user with a second factor must have confirmed it in the last 15 minutes to make a refund above this amount. All refunds of one payment are added up. With 0, this applies to every refund. Refunds with an API key are not affected.',
    save: 'Save amount',
    saved: 'Setting saved',
  },
  id: {
    limit: 'Konfirmasi pengembalian dana di atas',
    hint: 'Untuk pengembalian dana di atas jumlah ini, pengguna yang punya faktor kedua harus mengonfirmasinya, kecuali jika sudah dikonfirmasi dalam 15 menit terakhir. Jumlah semua pengembalian dana dari satu pembayaran digabungkan. Jika diisi 0, aturan ini berlaku untuk setiap pengembalian dana. Pengembalian dana dengan kunci API tidak terpengaruh.',
    save: 'Simpan jumlah',
    saved: 'Pengaturan disimpan',
  },
})

/** The amount above which a user's refund requires a recently confirmed second factor. */
export function RefundProof() {
  const t = useWords(text)
  const queries = useQueryClient()
  // Unlike `useAccount`, this query refetches the account when the page opens or the window gets the focus. Another
  // admin may have changed the amount.
  const { refund_proof_above } = useSuspenseQuery(trpc.tenants.account.queryOptions({})).data
  const form = useSettingsForm<{ refund_proof_above: number | null }>({
    stored: { refund_proof_above },
    // The form requires an amount. The request's schema would accept a missing amount, which leaves the
    // current amount unchanged.
    validate: useChecks(securityInput.required({ refund_proof_above: true })),
  })
  const saving = useAct({
    form,
    done: t.saved,
    mutationFn: (refund_proof_above: number) => client.secondFactor.require.mutate({ refund_proof_above }),
    onSuccess({ refund_proof_above }) {
      form.showSaved({ refund_proof_above })
      return queries.invalidateQueries({ queryKey: trpc.tenants.account.pathKey() })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit(values => saving.mutate(values.refund_proof_above as number))}>
      <Stack gap="xs" maw={400}>
        <RupiahInput
          label={t.limit}
          description={t.hint}
          required
          {...form.getInputProps('refund_proof_above')}
        />
        <ConflictNotice form={form} />
        <Refusal said={saving.refusal} />
        <div>
          <Button type="submit" variant="default" loading={saving.isPending} disabled={!form.canSave}>
            {t.save}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
