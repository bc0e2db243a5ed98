export interface BotWords {
  title: string;
  intro: string;
  agent: string;
  token: string;
  rulesTitle: string;
  rules: readonly string[];
  outTitle: string;
  outText: string;
  outHost: string;
  outPart: string;
  outSlower: string;
  pageTitle: string;
  pageText: string;
  pageNoindex: string;
  pageNoarchive: string;
  pageNofollow: string;
  removalTitle: string;
  removal: readonly string[];
  recrawl: string;
  contactTitle: string;
  contact: string;
  contactUnknown: string;
}

/** The page of the crawler: who it is, and how to keep it out. */
export const bot: Readonly<Record<"en" | "fr" | "pt" | "ru", BotWords>> = {
  en: {
    title: "About the crawler",
    intro:
      "You may have come here from the log of your web server. The program below fetched pages " +
      "so that they can be found in this search engine.",
    agent: "It calls itself",
    token: "Its name in robots.txt",
    rulesTitle: "How it behaves",
    rules: [
      "It reads robots.txt first and keeps to it (RFC 9309), and to Crawl-delay.",
      "It asks one page at a time of a site, with a pause between two requests.",
      "It waits when a server answers 429 or 503, as long as Retry-After says.",
      "It keeps the text of pages to search it and never signs in or fills in forms.",
    ],
    outTitle: "How to keep it out",
    outText: "Put this into robots.txt at the root of your site. It is read again within a day.",
    outHost: "Nothing of the site:",
    outPart: "Only a part:",
    outSlower: "Slower, with ten seconds between two requests:",
    pageTitle: "Rules for a single page",
    pageText: "In the head of the page, or as the header X-Robots-Tag:",
    pageNoindex: "the page is not found here",
    pageNoarchive: "the page is found, but its text is not shown from here",
    pageNofollow: "its links are not followed",
    removalTitle: "How to have a page removed",
    removal: [
      "Delete the page (404 or 410), mark it noindex, or disallow it in robots.txt.",
      "It leaves the index at the next visit.",
    ],
    recrawl: "To have it visited sooner, submit its address again",
    contactTitle: "Whom to ask",
    contact: "For anything else, and for urgent removals, write to the operator:",
    contactUnknown:
      "For anything else, and for urgent removals, write to whoever runs this server; the " +
      "address in the crawler's name leads to it.",
  },
  fr: {
    title: "À propos du robot",
    intro:
      "Le journal de votre serveur web vous a peut-être mené ici. Le programme ci-dessous a " +
      "visité des pages pour qu’on les trouve dans ce moteur de recherche.",
    agent: "Il se nomme",
    token: "Son nom dans robots.txt",
    rulesTitle: "Sa conduite",
    rules: [
      "Il lit d’abord robots.txt et s’y tient (RFC 9309), ainsi qu’à Crawl-delay.",
      "Il demande une page à la fois à un site, avec une pause entre deux demandes.",
      "Il attend quand un serveur répond 429 ou 503, aussi longtemps que le dit Retry-After.",
      "Il garde le texte des pages pour la recherche ; il ne se connecte ni ne remplit rien.",
    ],
    outTitle: "Comment le tenir à l’écart",
    outText: "Mettez ceci dans robots.txt à la racine du site. Il est relu dans la journée.",
    outHost: "Rien du site :",
    outPart: "Une partie seulement :",
    outSlower: "Plus lentement, dix secondes entre deux demandes :",
    pageTitle: "Règles pour une seule page",
    pageText: "Dans l’en-tête de la page, ou par l’en-tête HTTP X-Robots-Tag :",
    pageNoindex: "la page ne se trouve pas ici",
    pageNoarchive: "la page se trouve, mais son texte n’est pas montré d’ici",
    pageNofollow: "ses liens ne sont pas suivis",
    removalTitle: "Comment faire retirer une page",
    removal: [
      "Supprimez-la (404 ou 410), marquez-la noindex, ou interdisez-la dans robots.txt.",
      "Elle quitte l’index à la visite suivante.",
    ],
    recrawl: "Pour une visite plus prompte, proposez à nouveau son adresse",
    contactTitle: "À qui s’adresser",
    contact: "Pour le reste, et pour un retrait urgent, écrivez à l’exploitant :",
    contactUnknown:
      "Pour le reste, et pour un retrait urgent, écrivez à qui tient ce serveur ; l’adresse " +
      "dans le nom du robot y mène.",
  },
  pt: {
    title: "Sobre o robô",
    intro:
      "Talvez tenha chegado aqui pelo registo do seu servidor web. O programa abaixo visitou " +
      "páginas para que se encontrem neste motor de pesquisa.",
    agent: "Chama-se",
    token: "O seu nome em robots.txt",
    rulesTitle: "Como se comporta",
    rules: [
      "Lê primeiro o robots.txt e cumpre-o (RFC 9309), e também o Crawl-delay.",
      "Pede uma página de cada vez a um site, com uma pausa entre dois pedidos.",
      "Espera quando um servidor responde 429 ou 503, tanto quanto diz o Retry-After.",
      "Guarda o texto das páginas para a pesquisa; nunca entra em contas nem preenche nada.",
    ],
    outTitle: "Como o manter fora",
    outText: "Ponha isto no robots.txt na raiz do site. É relido no espaço de um dia.",
    outHost: "Nada do site:",
    outPart: "Só uma parte:",
    outSlower: "Mais devagar, com dez segundos entre dois pedidos:",
    pageTitle: "Regras para uma só página",
    pageText: "No cabeçalho da página, ou no cabeçalho HTTP X-Robots-Tag:",
    pageNoindex: "a página não se encontra aqui",
    pageNoarchive: "a página encontra-se, mas o seu texto não se mostra daqui",
    pageNofollow: "as suas ligações não são seguidas",
    removalTitle: "Como retirar uma página",
    removal: [
      "Apague-a (404 ou 410), marque-a noindex, ou proíba-a no robots.txt.",
      "Sai do índice na visita seguinte.",
    ],
    recrawl: "Para uma visita mais cedo, volte a sugerir o endereço",
    contactTitle: "A quem perguntar",
    contact: "Para tudo o resto, e para remoções urgentes, escreva ao operador:",
    contactUnknown:
      "Para tudo o resto, e para remoções urgentes, escreva a quem mantém este servidor; o " +
      "endereço no nome do robô leva até lá.",
  },
  ru: {
    title: "О роботе",
    intro:
      "Возможно, вас привёл сюда журнал вашего веб-сервера. Эта программа загружала страницы, " +
      "чтобы их можно было найти в этой поисковой машине.",
    agent: "Называет себя",
    token: "Имя в robots.txt",
    rulesTitle: "Как он себя ведёт",
    rules: [
      "Сначала читает robots.txt и соблюдает его (RFC 9309), а также Crawl-delay.",
      "Просит у сайта по одной странице, с паузой между запросами.",
      "Ждёт, если сервер отвечает 429 или 503, столько, сколько велит Retry-After.",
      "Хранит текст страниц ради поиска; никогда не входит под именем и не заполняет форм.",
    ],
    outTitle: "Как его не пускать",
    outText: "Поместите это в robots.txt в корне сайта. Он перечитывается в течение суток.",
    outHost: "Ничего с сайта:",
    outPart: "Только часть:",
    outSlower: "Медленнее, десять секунд между запросами:",
    pageTitle: "Правила для одной страницы",
    pageText: "В заголовке страницы или HTTP-заголовком X-Robots-Tag:",
    pageNoindex: "страница здесь не находится",
    pageNoarchive: "страница находится, но её текст отсюда не показывается",
    pageNofollow: "по её ссылкам не ходят",
    removalTitle: "Как убрать страницу",
    removal: [
      "Удалите её (404 или 410), пометьте noindex или запретите в robots.txt.",
      "Она исчезнет из индекса при следующем посещении.",
    ],
    recrawl: "Чтобы её посетили раньше, предложите адрес снова",
    contactTitle: "К кому обратиться",
    contact: "По другим вопросам и при срочном удалении пишите владельцу:",
    contactUnknown:
      "По другим вопросам и при срочном удалении пишите тому, кто держит этот сервер; к нему " +
      "ведёт адрес в имени робота.",
  },
};
