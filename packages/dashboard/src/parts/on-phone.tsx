import type { ReactNode } from 'react'
import classes from './on-phone.module.css'

/** In a cell, below its value: what stands in a column of its own where there is room for one. */
export const OnPhone = ({ children }: { children: ReactNode }) => (
  <div className={classes.below}>{children}</div>
)
