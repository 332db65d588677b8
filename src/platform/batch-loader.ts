type Round<Question, Answer> = {
  questions: Question[];
  places: Map<string, number>;
  answers: Promise<(Answer | undefined)[]>;
};

/**
 * Questions of one turn of the event loop are asked together, equal ones once: under load, fifty requests cost the
 * database one statement. Nothing is remembered, so each answer was true after its question was asked. `ask` answers in
 * the order of the questions, and leaves out what has no answer.
 */
export function gather<Question, Answer>(
  nameOf: (question: Question) => string,
  ask: (questions: Question[]) => Promise<(Answer | undefined)[]>,
): (question: Question) => Promise<Answer | undefined> {
  let round: Round<Question, Answer> | undefined;

  function begin(): Round<Question, Answer> {
    const questions: Question[] = [];
    const turnIsOver = new Promise<void>((resolve) => setImmediate(resolve));
    const answers = turnIsOver.then(() => {
      round = undefined;
      return ask(questions);
    });
    return { questions, places: new Map(), answers };
  }

  return async (question) => {
    round ??= begin();
    const { questions, places, answers } = round;
    const name = nameOf(question);
    const place = places.get(name) ?? questions.push(question) - 1;
    places.set(name, place);
    return (await answers)[place];
  };
}
