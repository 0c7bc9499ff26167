import { feeScheduleInput } from '@gapura/server/fee-input'
import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Inputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ActRow } from '../parts/act-row.tsx'
import { Panel } from '../parts/panel.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import type { FeeRule } from './fee-formula.ts'
import { draftsOf, type FeeDraft, newFeeRule, wantedFees } from './fee-rule-drafts.ts'
import classes from './fee-rule-row.module.css'
import { FeeRuleRow } from './fee-rule-row.tsx'

const text = words({
  en: {
    title: 'New fee version',
    about:
      'The most specific rule applies: first a rule for both the method and the channel, then a rule for the channel, then for the method, then for all payments. If no rule matches a payment, it has no fee, or the operator’s fee if a partner sets the fees. Existing payments keep their fees.',
    add: 'Add fee',
    none: 'If you add no fees, the new version charges nothing. In a partner’s version, clients then pay the operator’s fees.',
    from: 'Applies from (WIB)',
    fromHint: 'If this field is empty, the fees apply from now on',
    refund: 'A refund returns the fee in proportion to the refunded amount',
    save: 'Save new version',
    saved: 'Fees saved',
  },
  id: {
    title: 'Versi biaya baru',
    about:
      'Aturan yang paling spesifik berlaku: aturan untuk metode dan kanal, lalu kanal, lalu metode, lalu semua pembayaran. Pembayaran yang tidak cocok dengan aturan mana pun tidak dikenai biaya, atau dikenai biaya operator jika biaya ditetapkan oleh partner. Biaya pembayaran yang sudah ada tidak berubah.',
    add: 'Tambah biaya',
    none: 'Tanpa biaya, versi baru ini tidak mengenakan apa pun. Pada versi dari partner, klien membayar biaya operator.',
    from: 'Berlaku mulai (WIB)',
    fromHint: 'Jika kosong, biaya berlaku mulai sekarang',
    refund: 'Pengembalian dana mengembalikan biaya secara proporsional',
    save: 'Simpan versi baru',
    saved: 'Biaya telah disimpan',
  },
})

type Given = {
  tenantId: string
  /** The current rules of the fee schedule. They fill the form when it opens. */
  rules: readonly FeeRule[]
  refundsFees: boolean
  close: () => void
}

export default function FeeForm({ tenantId, rules, refundsFees, close }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const checks = useChecks(feeScheduleInput)
  const form = useForm<FeeDraft>({
    initialValues: {
      effective_from: '',
      refund_fees: refundsFees,
      rules: rules.length > 0 ? draftsOf(rules) : [newFeeRule()],
    },
    validate: values => checks(wantedFees(values)),
  })
  const save = useAct({
    mutationFn: (wanted: Inputs['fees']['setOfTenant']) => client.fees.setOfTenant.mutate(wanted),
    form,
    done: t.saved,
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: trpc.fees.pathKey() })
      close()
    },
  })
  const { rules: drafts } = form.values
  return (
    <Panel title={t.title}>
      <form
        noValidate
        onSubmit={form.onSubmit(values => save.mutate({ tenant_id: tenantId, ...wantedFees(values) }))}
      >
        <Unsaved isDirty={form.isDirty() && !save.isSuccess} />
        <Stack>
          <Text size="sm" c="dimmed">
            {t.about}
          </Text>
          {drafts.length === 0 && <Text size="sm">{t.none}</Text>}
          <ol className={classes.list}>
            {drafts.map((rule, index) => (
              <FeeRuleRow
                key={rule.key}
                rule={rule}
                index={index}
                error={form.errors[`rules.${index}`] as string | undefined}
                inputProps={field => form.getInputProps(`rules.${index}.${field}`)}
                onRemove={() => {
                  form.clearErrors()
                  form.removeListItem('rules', index)
                }}
              />
            ))}
          </ol>
          <Group>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => form.insertListItem('rules', newFeeRule())}
            >
              {t.add}
            </Button>
          </Group>
          <TextInput
            type="datetime-local"
            label={t.from}
            description={t.fromHint}
            maw={280}
            {...form.getInputProps('effective_from')}
          />
          <Checkbox label={t.refund} {...form.getInputProps('refund_fees', { type: 'checkbox' })} />
          <ActRow back={close} act={t.save} isActing={save.isPending} refusal={save.refusal} />
        </Stack>
      </form>
    </Panel>
  )
}
