import { routingRulesInput } from '@gapura/server/route-input'
import { Button, Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ConflictNotice } from '../parts/conflict-notice.tsx'
import { Panel } from '../parts/panel.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { Empty } from '../parts/states.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useSettingsForm } from '../parts/use-settings-form.ts'
import { useAccount, useIsPermitted } from '../session/account.ts'
import type { Tenant } from '../tenants/tenant-words.ts'
import type { KnownAccount } from './known-accounts.ts'
import { draftsOf, movedDraft, newDraft, wantedOf } from './rule-drafts.ts'
import classes from './rule-row.module.css'
import { RuleHead, RuleRow } from './rule-row.tsx'

const text = words({
  en: {
    title: 'Routing rules',
    about:
      'The matching rule with the lowest position is used. Rules with the same position share the payments by weight. If no rule matches, the order of the provider accounts applies.',
    add: 'Add rule',
    save: 'Save rules',
    saved: 'Saved. The new rules take effect within one second.',
    undo: 'Undo',
    changed: 'Unsaved changes',
    choose: 'choose one',
    none: 'No routing rules',
    how: 'Without routing rules, a payment goes to the first provider account in the list that offers its payment method.',
    toChange: 'Add a routing rule to send payments to other provider accounts.',
  },
  id: {
    title: 'Aturan perutean',
    about:
      'Dari aturan yang cocok, aturan dengan posisi terendah yang dipakai. Aturan dengan posisi yang sama berbagi pembayaran menurut bobot. Jika tidak ada aturan yang cocok, urutan akun penyedia berlaku.',
    add: 'Tambah aturan',
    save: 'Simpan aturan',
    saved: 'Tersimpan. Aturan baru berlaku dalam satu detik.',
    undo: 'Urungkan',
    changed: 'Ada perubahan yang belum disimpan',
    choose: 'pilih salah satu',
    none: 'Tidak ada aturan perutean',
    how: 'Pembayaran dikirim ke akun penyedia pertama yang menyediakan metodenya.',
    toChange: 'Tambahkan aturan untuk mengubahnya.',
  },
})

type Given = {
  tenant: Tenant
  accounts: readonly KnownAccount[]
  saved: Outputs['routes']['rules']['items']
}

export function RoutingRules({ tenant, accounts, saved }: Given) {
  const t = useWords(text)
  const queries = useQueryClient()
  const isOwn = useAccount().id === tenant.id
  const isAdmin = useIsPermitted('admin')
  const isFixed = isOwn || !isAdmin
  const checks = useChecks(routingRulesInput)
  const form = useSettingsForm({
    stored: { items: draftsOf(saved) },
    validate: values => ({
      ...checks(values),
      ...Object.fromEntries(
        values.items.flatMap(({ provider_account_id }, index) =>
          provider_account_id === '' ? [[`items.${index}.provider_account_id`, t.choose]] : [],
        ),
      ),
    }),
  })
  const { items } = form.values
  const rulesQuery = trpc.routes.rules.queryOptions({ tenant_id: tenant.id }, { staleTime: 0 })
  const save = useAct({
    async mutationFn() {
      const stored = await queries.fetchQuery(rulesQuery)
      const { items } = form.appliedTo({ items: draftsOf(stored.items) })
      return client.routes.setRules.mutate({ tenant_id: tenant.id, items: wantedOf(items) })
    },
    form,
    done: t.saved,
    onSuccess: kept => {
      form.showSaved({ items: draftsOf(kept.items) })
      return queries.invalidateQueries({ queryKey: trpc.routes.pathKey() })
    },
  })
  const add = () => form.insertListItem('items', newDraft(items))
  return (
    <Panel
      isFlush
      title={t.title}
      actions={
        !isFixed && (
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
            {t.add}
          </Button>
        )
      }
    >
      <Text size="sm" c="dimmed" px="lg" pb="md">
        {t.about}
      </Text>
      {items.length === 0 && <Empty title={t.none}>{isFixed ? t.how : `${t.how} ${t.toChange}`}</Empty>}
      <form onSubmit={form.onSubmit(() => save.mutate())} noValidate>
        <fieldset disabled={isFixed} className={classes.rules}>
          {items.length > 0 && <RuleHead />}
          <ol>
            {items.map((rule, index) => (
              <RuleRow
                key={rule.key}
                rule={rule}
                index={index}
                count={items.length}
                accounts={accounts}
                inputProps={field => form.getInputProps(`items.${index}.${field}`)}
                onMove={by => {
                  form.clearErrors()
                  form.setFieldValue('items', movedDraft(items, index, by))
                }}
                onRemove={() => form.removeListItem('items', index)}
              />
            ))}
          </ol>
        </fieldset>
        <ConflictNotice form={form} />
        <Refusal said={save.refusal} />
        <Unsaved isDirty={form.isEdited} />
        {form.isEdited && (
          <Group justify="flex-end" p="md" role="status">
            <Text size="sm" c="dimmed">
              {t.changed}
            </Text>
            <Button variant="default" onClick={form.discard}>
              {t.undo}
            </Button>
            <Button type="submit" loading={save.isPending} disabled={!form.canSave}>
              {t.save}
            </Button>
          </Group>
        )}
      </form>
    </Panel>
  )
}
