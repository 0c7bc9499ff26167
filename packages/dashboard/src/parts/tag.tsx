import classes from './tag.module.css'

export type Tone = 'good' | 'waiting' | 'bad' | 'over' | 'doubt'

/** A status label. Its colour carries no information beyond its text. */
export const Tag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
)
