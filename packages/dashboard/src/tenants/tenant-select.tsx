import { Select, type SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Inputs, trpc } from '../api/trpc.ts'
import { PAGE_SIZE } from '../table/endless.ts'

type Given = SelectProps & { among?: NonNullable<Inputs['tenants']['list']['role']> }

/**
 * A select input for a tenant. It shows the newest tenants that match the typed text, because there can be
 * any number of tenants.
 */
export function TenantSelect({ among, ...select }: Given) {
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed, 200)
  const { data } = useQuery(
    trpc.tenants.list.queryOptions(
      { ...(among && { role: among }), limit: PAGE_SIZE, ...(q && { q }) },
      { placeholderData: before => before },
    ),
  )
  return (
    <Select
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      data={data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
      {...select}
    />
  )
}
