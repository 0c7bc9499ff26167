import classes from './tag.module.css'

export type Tone = 'good' | 'waiting' | 'bad' | 'over' | 'doubt'

/** A state in a word; its colour says no more than the word does. */
export const Tag = ({ tone, children }: { tone: Tone; children: string }) => (
  <span className={classes.tag} data-tone={tone}>
    {children}
  </span>
)
