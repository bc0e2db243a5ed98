/** What is said instead of a page, and what the reader can do. */
export interface Said {
  title: string;
  text: string;
}

/** Texts of the pages that say why there is no other. */
export interface RefusalWords {
  /** Where the button below leads. */
  back: string;
  notFound: Said;
  badMethod: Said;
  badHost: Said;
  /** A body that is not what its type promises. */
  badBody: Said;
  missing: Said;
  field(name: string): Said;
  /** Faults that are sentences already. */
  faulty(text: string): Said;
  forged: Said;
  signInFirst: Said;
  tooMany(seconds: number): Said;
  tooManyTries(seconds: number): Said;
  sessionUnchecked: Said;
  storeDown: Said;
  indexDown: Said;
  internal: Said;
}

const said = (title: string, text: string): Said => ({ title, text });

const en: RefusalWords = {
  back: "To the search page",
  notFound: said("Not found", "There is nothing at this address, or not any more."),
  badMethod: said(
    "This cannot be asked this way",
    "The address exists, but not for this kind of request.",
  ),
  badHost: said("This cannot be read", "The request does not say which server it is meant for."),
  badBody: said(
    "This cannot be read",
    "The body of the request is not in the form that its type promises.",
  ),
  missing: said("This cannot be read", "A part is missing."),
  field: (name) => said("This cannot be read", `The value of "${name}" is not allowed.`),
  faulty: (text) => said("This cannot be read", text),
  forged: said(
    "This form is out of date",
    "The request did not come from a page of this server, or its page is too old. Go " +
      "back, reload the page and try again.",
  ),
  signInFirst: said("Sign in first", "This needs a session or a bearer token."),
  tooMany: (seconds) =>
    said(
      "Too many requests",
      `There were too many requests from your address. Try again in ${seconds} s.`,
    ),
  tooManyTries: (seconds) =>
    said(
      "Too many requests",
      `There were too many tries to sign in from your address. Try again in ${seconds} s.`,
    ),
  sessionUnchecked: said(
    "Not available right now",
    "The store does not answer, so your session cannot be checked.",
  ),
  storeDown: said("Not available right now", "The store does not answer. Try again in a moment."),
  indexDown: said(
    "Not available right now",
    "The search index does not answer. Nothing is lost; try again soon.",
  ),
  internal: said("Something broke", "The mistake is ours and was recorded."),
};

const fr: RefusalWords = {
  back: "Vers la page de recherche",
  notFound: said("Introuvable", "Il n’y a rien à cette adresse, ou il n’y a plus rien."),
  badMethod: said(
    "Cela ne se demande pas ainsi",
    "L’adresse existe, mais pas pour ce genre de demande.",
  ),
  badHost: said(
    "Cette demande est illisible",
    "La demande ne dit pas à quel serveur elle s’adresse.",
  ),
  badBody: said(
    "Cette demande est illisible",
    "Le corps de la demande n’a pas la forme que son type annonce.",
  ),
  missing: said("Cette demande est illisible", "Il manque une partie."),
  field: (name) =>
    said("Cette demande est illisible", `La valeur de « ${name} » n’est pas admise.`),
  faulty: (text) => said("Cette demande est illisible", text),
  forged: said(
    "Ce formulaire n’est plus à jour",
    "La demande ne vient pas d’une page de ce serveur, ou cette page est trop ancienne. " +
      "Revenez en arrière, rechargez la page et réessayez.",
  ),
  signInFirst: said("Connectez-vous d’abord", "Il faut une session ou un jeton d’accès."),
  tooMany: (seconds) =>
    said(
      "Trop de demandes",
      `Trop de demandes sont venues de votre adresse. Réessayez dans ${seconds} s.`,
    ),
  tooManyTries: (seconds) =>
    said(
      "Trop de demandes",
      `Trop d’essais de connexion sont venus de votre adresse. Réessayez dans ${seconds} s.`,
    ),
  sessionUnchecked: said(
    "Indisponible pour le moment",
    "La base de données ne répond pas : votre session ne peut être vérifiée.",
  ),
  storeDown: said(
    "Indisponible pour le moment",
    "La base de données ne répond pas. Réessayez dans un instant.",
  ),
  indexDown: said(
    "Indisponible pour le moment",
    "L’index ne répond pas. Rien n’est perdu ; réessayez bientôt.",
  ),
  internal: said("Quelque chose a échoué", "L’erreur vient de nous et a été notée."),
};

const pt: RefusalWords = {
  back: "Para a página de pesquisa",
  notFound: said("Não encontrado", "Não há nada neste endereço, ou já não há."),
  badMethod: said("Isto não se pede assim", "O endereço existe, mas não para este tipo de pedido."),
  badHost: said("Este pedido não se consegue ler", "O pedido não diz a que servidor se dirige."),
  badBody: said(
    "Este pedido não se consegue ler",
    "O corpo do pedido não tem a forma que o seu tipo anuncia.",
  ),
  missing: said("Este pedido não se consegue ler", "Falta uma parte."),
  field: (name) => said("Este pedido não se consegue ler", `O valor de “${name}” não é permitido.`),
  faulty: (text) => said("Este pedido não se consegue ler", text),
  forged: said(
    "Este formulário já não é atual",
    "O pedido não veio de uma página deste servidor, ou a página é demasiado antiga. " +
      "Volte atrás, recarregue a página e tente de novo.",
  ),
  signInFirst: said("Inicie sessão primeiro", "É preciso uma sessão ou uma chave de acesso."),
  tooMany: (seconds) =>
    said(
      "Demasiados pedidos",
      `Vieram demasiados pedidos do seu endereço. Tente de novo dentro de ${seconds} s.`,
    ),
  tooManyTries: (seconds) =>
    said(
      "Demasiados pedidos",
      "Vieram demasiadas tentativas de início de sessão do seu endereço. Tente de novo " +
        `dentro de ${seconds} s.`,
    ),
  sessionUnchecked: said(
    "Indisponível de momento",
    "A base de dados não responde: a sua sessão não pode ser verificada.",
  ),
  storeDown: said(
    "Indisponível de momento",
    "A base de dados não responde. Tente de novo dentro de momentos.",
  ),
  indexDown: said(
    "Indisponível de momento",
    "O índice não responde. Nada se perdeu; tente de novo em breve.",
  ),
  internal: said("Algo falhou", "O erro é nosso e ficou registado."),
};

const ru: RefusalWords = {
  back: "К странице поиска",
  notFound: said("Не найдено", "По этому адресу ничего нет или больше нет."),
  badMethod: said("Так спросить нельзя", "Адрес существует, но не для такого запроса."),
  badHost: said("Запрос нельзя прочитать", "В запросе не сказано, какому серверу он предназначен."),
  badBody: said("Запрос нельзя прочитать", "Тело запроса не в том виде, который обещает его тип."),
  missing: said("Запрос нельзя прочитать", "Не хватает одной части."),
  field: (name) => said("Запрос нельзя прочитать", `Значение «${name}» недопустимо.`),
  faulty: (text) => said("Запрос нельзя прочитать", text),
  forged: said(
    "Форма устарела",
    "Запрос пришёл не со страницы этого сервера, или страница слишком старая. Вернитесь, " +
      "обновите страницу и попробуйте снова.",
  ),
  signInFirst: said("Сначала войдите", "Нужен вход в систему или ключ доступа."),
  tooMany: (seconds) =>
    said(
      "Слишком много запросов",
      `С вашего адреса пришло слишком много запросов. Попробуйте снова через ${seconds} с.`,
    ),
  tooManyTries: (seconds) =>
    said(
      "Слишком много запросов",
      `С вашего адреса было слишком много попыток входа. Попробуйте снова через ${seconds} с.`,
    ),
  sessionUnchecked: said(
    "Сейчас недоступно",
    "База данных не отвечает, поэтому ваш вход нельзя проверить.",
  ),
  storeDown: said("Сейчас недоступно", "База данных не отвечает. Попробуйте снова через минуту."),
  indexDown: said(
    "Сейчас недоступно",
    "Индекс не отвечает. Ничего не потеряно; попробуйте снова позже.",
  ),
  internal: said("Что-то сломалось", "Ошибка наша, она записана."),
};

/** By language. */
export const refusals = { en, fr, pt, ru } as const;
